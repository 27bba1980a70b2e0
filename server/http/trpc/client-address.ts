import { CLIENT_ADDRESS_HEADER } from '../node.ts';

/** The client's address as main.ts wrote it over whatever the client sent; `unknown` is one client for the limiter. */
export const clientAddressOf = (headers: Headers): string => headers.get(CLIENT_ADDRESS_HEADER) ?? 'unknown';
