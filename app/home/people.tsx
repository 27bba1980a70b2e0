import { clsx } from 'clsx';
import { Building2, Code2, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { en } from '../messages/en.ts';
import { ExternalLink } from '../ui/external-link.tsx';
import { textLink } from '../ui/text-link.ts';

const text = en.home.people;

/** What the service is for each of the three who come here. */
export function People() {
  return (
    <section aria-labelledby="people">
      <h2 id="people" className="text-2xl">
        {text.title}
      </h2>
      <div className="mt-8 grid gap-10 md:grid-cols-3">
        <Person icon={<UserRound />} title={text.person.title} body={text.person.body}>
          {text.person.note}
        </Person>
        <Person icon={<Building2 />} title={text.institution.title} body={text.institution.body}>
          {text.institution.note}
        </Person>
        <Person icon={<Code2 />} title={text.engineer.title} body={text.engineer.body}>
          {text.engineer.note}
          <span className="mt-1 grid gap-y-1 font-normal">
            <a href="/api/ledger" className={clsx(textLink, 'justify-self-start')}>
              {text.engineer.ledger}
            </a>
            <ExternalLink href="https://www.rfc-editor.org/rfc/rfc8785" className="justify-self-start">
              {text.engineer.canonical}
            </ExternalLink>
            <ExternalLink href="https://www.rfc-editor.org/rfc/rfc8032" className="justify-self-start">
              {text.engineer.signature}
            </ExternalLink>
          </span>
        </Person>
      </div>
    </section>
  );
}

type PersonProps = { icon: ReactNode; title: string; body: string; children: ReactNode };

function Person({ icon, title, body, children }: PersonProps) {
  return (
    <div className="border-t-4 border-accent pt-5">
      <h3 className="flex items-center gap-2.5 text-xl [&_svg]:size-6 [&_svg]:text-accent">
        <span aria-hidden>{icon}</span>
        {title}
      </h3>
      <p className="mt-2">{body}</p>
      <p className="mt-3 font-semibold">{children}</p>
    </div>
  );
}
