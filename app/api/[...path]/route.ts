/** Mounts the API in Next; main.ts hands the routes it knows straight to the same function. */
import { respond } from '../../../server/http/web.ts';

export {
  respond as DELETE,
  respond as GET,
  respond as HEAD,
  respond as OPTIONS,
  respond as PATCH,
  respond as POST,
  respond as PUT,
};
