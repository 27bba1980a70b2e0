import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { getContext } from '../../../../server/context.ts';
import { preferredLanguage } from '../../../../server/language.ts';
import { tooLarge } from '../../../../server/rest/json-body.ts';
import { readBody } from '../../../../server/rest/web.ts';
import { clientAddressOf } from '../../../../server/trpc/client-address.ts';
import { told } from '../../../../server/trpc/errors.ts';
import { appRouter } from '../../../../server/trpc/router.ts';

const MAX_BATCH = 10;

/** A batch of records, and what surrounds it. */
const MAX_BODY_BYTES = 1024 * 1024 + 4096;

/** What a procedure meets in place of a body that is too large, and refuses as it refuses everything. */
const refused = () => new ReadableStream({ start: (body) => body.error(tooLarge(MAX_BODY_BYTES)) });

async function bodyOf(request: Request): Promise<RequestInit & { duplex?: 'half' }> {
  if (request.method !== 'POST') return {};
  const body = await readBody(request, MAX_BODY_BYTES);
  return body ? { body: Buffer.from(body) } : { body: refused(), duplex: 'half' };
}

async function handler(request: Request): Promise<Response> {
  const { url, method, headers } = request;
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: new Request(url, { method, headers, ...(await bodyOf(request)) }),
    router: appRouter,
    maxBatchSize: MAX_BATCH,
    createContext: () => ({
      services: getContext(),
      address: clientAddressOf(headers),
      language: preferredLanguage(headers.get('accept-language') ?? ''),
      instituteKey: headers.get('x-institute-key') ?? undefined,
    }),
    responseMeta: ({ errors }) => {
      const wait = errors
        .map((error) => told(error).details?.retry_after_seconds)
        .find((seconds) => seconds !== undefined);
      return {
        headers: new Headers({
          'cache-control': 'no-store',
          ...(wait !== undefined && { 'retry-after': String(wait) }),
        }),
      };
    },
  });
}

export { handler as GET, handler as POST };
