'use client';

import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { pageOf, pageOfEntity } from './explore-address.ts';
import { Identifier } from './identifier.tsx';
import { LocalLink } from './local-link.tsx';
import { Name } from './name.tsx';
import { textLink } from './text-link.ts';

type NamedEntry = Answers['entries']['entries'][number];

type SubjectLinkProps = { entry: Pick<NamedEntry, 'function' | 'entity_id' | 'subject'> };

/** A link to what an entry is about, by domain; by id where no domain is known. Needs the messages of `home`. */
export function SubjectLink({ entry }: SubjectLinkProps) {
  const t = useTranslations('home.latest.subject');
  const { entity_id: id, subject } = entry;
  const linkTo = (href: string, name: string) => (
    <LocalLink href={href} className={`${textLink} -my-2 inline-block py-2`}>
      <Name>{name}</Name>
    </LocalLink>
  );
  switch (subject?.kind) {
    case 'identity':
    case 'institution':
      if (subject.domain) return linkTo(pageOf(subject.domain), subject.domain);
      break;
    case 'proposal':
      if (subject.domain) return linkTo(pageOf(id), t('proposal', { domain: subject.domain }));
      break;
    case 'consent': {
      const { domain, grantee } = subject;
      if (domain && domain === grantee) return linkTo(pageOf(id), t('self', { domain }));
      if (domain && grantee) return linkTo(pageOf(id), t('consent', { domain, grantee }));
      if (grantee) return linkTo(pageOf(id), t('consentFor', { grantee }));
    }
  }
  return <Identifier value={id} what="id" keep={8} href={pageOfEntity(entry)} />;
}
