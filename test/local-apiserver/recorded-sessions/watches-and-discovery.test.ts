import { playSessions } from '../support/recorded-sessions.js';

playSessions('watches and discovery');
