import { translator } from '../_i18n/translator.ts';

const PARTS = ['permanent', 'private', 'cannot', 'can'] as const;

/** What is permanent, what is private, and what the relayer can and cannot do. */
export async function PublicAndPrivate() {
  const t = await translator('home');
  return (
    <section id="public" aria-labelledby="honest">
      <h2 id="honest">{t('honest.title')}</h2>
      <div className="mt-5 grid gap-x-12 gap-y-6 sm:mt-8 sm:gap-y-9 md:grid-cols-2">
        {PARTS.map((part) => (
          <div key={part}>
            <h3>{t(`honest.${part}.title`)}</h3>
            <p className="mt-2">{t(`honest.${part}.first`)}</p>
            <p className="mt-2">{t(`honest.${part}.second`)}</p>
            {part === 'can' && <p className="mt-2">{t('honest.can.third')}</p>}
          </div>
        ))}
      </div>
    </section>
  );
}
