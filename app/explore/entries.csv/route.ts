import { type EntryWordParts, entryWords } from '../../../messages/entry-words.ts';
import { partsInUtc } from '../../../messages/words-in-utc.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import { getContext } from '../../../server/http/context.ts';
import { createRequestLimits } from '../../../server/http/limits/request-limits.ts';
import { clientAddressOf } from '../../../server/http/node.ts';
import { pagesOfEntries } from '../../../server/http/trpc/entry-list.ts';
import { publicError } from '../../../server/http/trpc/trpc-errors.ts';
import { requestLocale } from '../../_i18n/request-locale.ts';
import { translator } from '../../_i18n/translator.ts';
import { CSV_HEAD, csvRows } from '../../_ui/entries-csv.ts';
import { entryQuery, MAX_CSV_ENTRIES } from '../entry-address.ts';

/** The entries that the filters of the list select, as CSV. They are read while they are sent. */
export async function GET(request: Request): Promise<Response> {
  const services = getContext();
  const limits = createRequestLimits(services.limiter);
  try {
    // Before anything else: the pages do not charge this address (server/http/pages.ts).
    await limits.charge('entry_export', { address: clientAddressOf(request.headers) });
    const query = entryQuery(Object.fromEntries(new URL(request.url).searchParams));
    const parts = await wordParts();
    const pages = pagesOfEntries(services, query, MAX_CSV_ENTRIES);
    // The first page before the response begins, so that an error has its status.
    const first = await pages.next();
    return new Response(streamOf(texts(first, pages, parts)), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="perpetua-entries.csv"',
        'cache-control': 'no-store',
        ...limits.headers(),
      },
    });
  } catch (failure) {
    const { code, message } = publicError(failure);
    if (code === 'INTERNAL') services.log.error({ err: failure }, 'the entries could not be saved as CSV');
    return new Response(`${code}: ${message}\n`, { status: ERRORS[code][0], headers: limits.headers() });
  }
}

type Pages = ReturnType<typeof pagesOfEntries>;

async function* texts(first: Awaited<ReturnType<Pages['next']>>, pages: Pages, parts: EntryWordParts) {
  const wordsOf = (entry: Parameters<typeof entryWords>[1]) => entryWords(parts, entry);
  yield CSV_HEAD;
  for (let page = first; !page.done; page = await pages.next()) yield csvRows(page.value, wordsOf);
}

/** In UTF-8; each text is made when the reader has taken the one before it. */
function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}

async function wordParts(): Promise<EntryWordParts> {
  const [t, operations, scope] = [
    await translator('entryWords'),
    await translator('operations'),
    await translator('scope'),
  ];
  return partsInUtc(await requestLocale(), { t, operations, scope });
}
