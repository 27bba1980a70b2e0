/** What a page says for an error code of the table (protocol §5); what has no sentence here is said with the server's. */
export default {
  OTHER: 'The server refused this ({code}). {message}',
  RATE_LIMITED: 'Too many requests came from your network in the last minute. Wait a minute and try again.',
  UNAVAILABLE: 'The server cannot do this at the moment. Try again shortly.',
  INTERNAL: 'Something went wrong on our side. Nothing was changed by mistake. Try again shortly.',
  UNREACHABLE: 'The server cannot be reached. Look at your connection; it is not known whether the request arrived.',
};
