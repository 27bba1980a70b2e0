import type { ServerResponse } from 'node:http';

/** Whether an Accept header names HTML, as every browser's does when it opens a page. */
export const asksForHtml = (accept = ''): boolean => /\btext\/html\b/i.test(accept);

/**
 * Lets `answer` respond in place of a page with the status 404. Only Next can tell which paths have a page, so its response is
 * held back from the first byte on.
 */
export function replaceNotFound(response: ServerResponse, answer: () => void): void {
  const { writeHead, write, end, flushHeaders } = response;
  const given = { ...response.getHeaders() };
  let isReplaced = false;
  const isNotFound = () => isReplaced || (!response.headersSent && response.statusCode === 404);
  const replace = () => {
    if (isReplaced) return;
    isReplaced = true;
    // Past the compression, which has wrapped these functions.
    Object.assign(response, { writeHead, write, end, flushHeaders });
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    for (const [name, value] of Object.entries(given)) if (value !== undefined) response.setHeader(name, value);
    answer();
  };
  const held = {
    writeHead(status: number, ...rest: never[]) {
      if (!isReplaced) response.statusCode = status;
      return isNotFound() ? response : writeHead.call(response, status, ...rest);
    },
    flushHeaders() {
      if (!isNotFound()) flushHeaders.call(response);
    },
    write(...rest: Parameters<typeof write>) {
      return isNotFound() ? true : write.apply(response, rest);
    },
    end(...rest: Parameters<typeof end>) {
      if (!isNotFound()) return end.apply(response, rest);
      replace();
      return response;
    },
  };
  Object.assign(response, held);
}
