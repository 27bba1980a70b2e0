import { ChevronRight } from 'lucide-react';
import { translator } from '../_i18n/translator.ts';

const PARTS = ['permanent', 'private', 'cannot', 'can'] as const;

/** What is permanent, what is private, and what the relayer can and cannot do. On a phone each part opens on demand. */
export async function PublicAndPrivate() {
  const t = await translator('home');
  const parts = PARTS.map((part) => ({
    part,
    title: t(`honest.${part}.title`),
    body: (
      <>
        <p className="mt-2">{t(`honest.${part}.first`)}</p>
        <p className="mt-2">{t(`honest.${part}.second`)}</p>
        {part === 'can' && <p className="mt-2">{t('honest.can.third')}</p>}
      </>
    ),
  }));
  return (
    <section id="public" aria-labelledby="honest">
      <h2 id="honest">{t('honest.title')}</h2>
      <div className="mt-4 border-t border-edge md:hidden">
        {parts.map(({ part, title, body }) => (
          <details key={part} className="group border-b border-edge pb-3">
            <summary className="-mb-3 flex min-h-13 cursor-pointer items-center gap-2 py-3">
              <ChevronRight
                aria-hidden
                className="size-5 shrink-0 transition-transform duration-150 group-open:rotate-90"
              />
              <h3>{title}</h3>
            </summary>
            {body}
          </details>
        ))}
      </div>
      <div className="mt-8 grid grid-cols-2 gap-x-12 gap-y-9 max-md:hidden">
        {parts.map(({ part, title, body }) => (
          <div key={part}>
            <h3>{title}</h3>
            {body}
          </div>
        ))}
      </div>
    </section>
  );
}
