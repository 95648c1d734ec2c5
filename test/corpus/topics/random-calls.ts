/**
 * Random calls, recorded with a real API server, for which this project once gave a different answer. They have the format of the folder
 * `requests`.
 */
export { differenceIn } from './requests.js';
