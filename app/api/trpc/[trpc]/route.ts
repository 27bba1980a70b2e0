import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { getContext } from '../../../../server/context.ts';
import { clientAddressOf } from '../../../../server/trpc/client-address.ts';
import { told } from '../../../../server/trpc/errors.ts';
import { appRouter } from '../../../../server/trpc/router.ts';

const MAX_BATCH = 10;

const handler = (request: Request) =>
  fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    maxBatchSize: MAX_BATCH,
    createContext: () => ({
      services: getContext(),
      address: clientAddressOf(request.headers),
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

export { handler as GET };
