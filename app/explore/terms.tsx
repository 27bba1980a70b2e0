import { translator } from '../_i18n/translator.ts';
import { Folded } from '../_ui/folded.tsx';

const TERMS = ['ledger', 'entry', 'identity', 'institution', 'consent', 'key', 'relayer', 'final'] as const;

/** A glossary of the explorer. */
export async function Terms() {
  const t = await translator('explore');
  return (
    <section aria-labelledby="terms">
      <h2 id="terms">{t('terms.title')}</h2>
      <p className="mt-2 mb-4 text-muted lg:hidden">{t('terms.lead')}</p>
      <Folded id="glossary" title={t('terms.open')} className="lg:max-h-none lg:overflow-visible">
        <dl className="grid gap-x-12 gap-y-6 md:grid-cols-2 lg:mt-6">
          {TERMS.map((term) => (
            <div key={term}>
              <dt className="font-bold">{t(`terms.${term}.name`)}</dt>
              <dd className="mt-1 text-muted">{t(`terms.${term}.what`)}</dd>
            </div>
          ))}
        </dl>
      </Folded>
    </section>
  );
}
