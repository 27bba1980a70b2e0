import { clsx } from 'clsx';
import { ArrowRight, Building2, Code2, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { translator } from '../_i18n/translator.ts';
import { LocalLink } from '../_ui/local-link.tsx';
import { textLink } from '../_ui/text-link.ts';

/** What the service offers to people, institutions and engineers, with links. */
export async function Audiences() {
  const t = await translator('home');
  return (
    <section aria-labelledby="people">
      <h2 id="people">{t('people.title')}</h2>
      <div className="mt-5 grid gap-7 md:mt-8 md:grid-cols-3 md:gap-10">
        <Person icon={<UserRound />} title={t('people.person.title')} body={t('people.person.body')}>
          <p className="mt-3 font-semibold">{t('people.person.note')}</p>
          <Onward href="/create">{t('people.person.link')}</Onward>
        </Person>
        <Person icon={<Building2 />} title={t('people.institution.title')} body={t('people.institution.body')}>
          <p className="mt-3 font-semibold max-md:hidden">{t('people.institution.note')}</p>
          <Onward href="/register">{t('people.institution.link')}</Onward>
        </Person>
        <Person icon={<Code2 />} title={t('people.engineer.title')} body={t('people.engineer.body')}>
          <p className="mt-3 font-semibold max-md:hidden">{t('people.engineer.note')}</p>
          <Onward href="/developers">{t('people.engineer.link')}</Onward>
        </Person>
      </div>
    </section>
  );
}

type PersonProps = { icon: ReactNode; title: string; body: string; children: ReactNode };

function Person({ icon, title, body, children }: PersonProps) {
  return (
    <div className="border-t-4 border-accent pt-4 md:pt-5">
      <h3 className="flex items-center gap-2.5 [&_svg]:size-6 [&_svg]:text-accent">
        <span aria-hidden>{icon}</span>
        {title}
      </h3>
      <p className="mt-2">{body}</p>
      {children}
    </div>
  );
}

const Onward = ({ href, children }: { href: string; children: string }) => (
  <LocalLink href={href} className={clsx(textLink, 'mt-1 inline-flex min-h-11 items-center gap-1.5')}>
    {children}
    <ArrowRight aria-hidden className="size-5" />
  </LocalLink>
);
