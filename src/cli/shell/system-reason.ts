export { systemReason } from '../../files/system-reason.js';
