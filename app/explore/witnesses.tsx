import type { Answers } from '../../server/http/trpc/router.ts';
import { translator } from '../_i18n/translator.ts';

/** How many witnesses confirmed the newest checkpoint, and which did not; nothing if the service has none. */
export async function Witnesses({ witnesses }: { witnesses: Answers['witnesses'] }) {
  if (witnesses.length === 0) return null;
  const t = await translator('explore');
  const missing = witnesses.filter(({ hasNewest }) => !hasNewest);
  const cosigned = witnesses.length - missing.length;
  return (
    <section aria-labelledby="witnesses" className="page pb-12">
      <h2 id="witnesses">{t('witnesses.title')}</h2>
      <p className="mt-2 max-w-prose text-muted">{t('witnesses.lead')}</p>
      <p className="mt-3 font-medium">{t('witnesses.cosigned', { cosigned, all: witnesses.length })}</p>
      {missing.length > 0 && (
        <p className="mt-1 break-words">
          {t('witnesses.missing', { names: missing.map(({ name }) => name).join(', ') })}
        </p>
      )}
    </section>
  );
}
