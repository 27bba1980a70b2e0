import { domainAvailability } from '../../../server/features/read/availability.ts';
import { getContext } from '../../../server/http/context.ts';
import { requestLocale } from '../../_i18n/request-locale.ts';
import { WithMessages } from '../../_i18n/translated.tsx';
import { normalizeReference } from '../../_ui/reference.ts';
import { Create } from './create.tsx';
import { suggestName } from './suggest-name.ts';
import type { SubmittedName } from './use-availability.ts';

type CreatePageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Creates an identity. `?name=` is a name that was submitted before the scripts ran. */
export default async function CreatePage({ searchParams }: CreatePageProps) {
  const { config, network } = getContext();
  const { name } = await searchParams;
  return (
    <div className="page pt-2">
      <WithMessages namespaces={['create', 'guardian']}>
        <Create
          suffix={config.DOMAIN_SUFFIX}
          testNetwork={network.kind !== 'arweave'}
          suggested={suggestName(await requestLocale())}
          submitted={typeof name === 'string' ? await checked(name) : null}
        />
      </WithMessages>
    </div>
  );
}

const MAX_NAME = 100;

async function checked(name: string): Promise<SubmittedName | null> {
  const context = getContext();
  const typed = name.slice(0, MAX_NAME);
  const domain = normalizeReference(typed, context.config.DOMAIN_SUFFIX);
  if (domain === '') return null;
  // Without the database the page opens, and the browser checks the name again.
  const availability = await domainAvailability(context, domain).catch(() => undefined);
  // The end of a waiting period is shown in the reader's time zone, which only the browser knows.
  return { typed, domain, availability };
}
