import { playSessions } from '../support/recorded-sessions.js';

playSessions('kinds and lists');
