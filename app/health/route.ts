/** Mounts the address in Next; main.ts hands it straight to the same function. */
import { respond } from '../../server/http/web.ts';

export { respond as GET, respond as HEAD, respond as OPTIONS, respond as POST };
