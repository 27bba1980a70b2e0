import { clsx } from 'clsx';
import { translator } from '../_i18n/translator.ts';
import { LocalLink } from '../_ui/local-link.tsx';
import { textLink } from '../_ui/text-link.ts';

const FACTS = [
  {
    fact: 'who',
    links: [
      ['register', '/register'],
      ['developers', '/developers'],
    ],
  },
  { fact: 'cost', links: [['terms', '/terms']] },
  { fact: 'public', links: [['more', '/#public']] },
] as const;

/** Who it is for, what it costs, and what is public forever. */
export async function AtAGlance() {
  const t = await translator('home');
  return (
    <div className="grid gap-7 md:grid-cols-3 md:gap-10">
      {FACTS.map(({ fact, links }) => (
        <section key={fact} aria-labelledby={`glance-${fact}`} className="border-t-4 border-accent pt-4 md:pt-5">
          <h2 id={`glance-${fact}`} className="text-lg">
            {t(`glance.${fact}.title`)}
          </h2>
          <p className="mt-2">{t(`glance.${fact}.body`)}</p>
          <ul className="mt-1">
            {links.map(([name, path]) => (
              <li key={name}>
                <LocalLink href={path} className={clsx(textLink, 'inline-flex min-h-11 items-center')}>
                  {t(`glance.link.${name}`)}
                </LocalLink>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
