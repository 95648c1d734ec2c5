/** Random calls, answered by a real API server, that this project once answered otherwise. They have the form of the folder `requests`. */
export { differenceIn } from './requests.js';
