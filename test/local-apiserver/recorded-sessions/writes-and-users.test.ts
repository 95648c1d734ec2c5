import { playSessions } from '../support/recorded-sessions.js';

playSessions('writes and users');
