import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { Alert } from '../../../_ui/alert.tsx';
import type { Unreachable } from './file-summary.ts';

const MAX_PEOPLE = 20;

/** The people of the file for whom nothing can be submitted, with the reason. */
export function LeftOutPeople({ people, person }: { people: readonly Unreachable[]; person: TokenView | null }) {
  const t = useTranslations('institution.submit');
  if (people.length === 0) return null;
  return (
    <Alert tone="danger" title={t('preview.people', { count: people.length })}>
      <ul>
        {people.slice(0, MAX_PEOPLE).map(({ patient, problem, rows }) => (
          <li key={patient} className="break-words">
            <span className="font-semibold" translate="no">
              {patient || person?.beo_domain}
            </span>
            {': '}
            {t(`problem.${problem}`)} <span className="whitespace-nowrap">({t('preview.rows', { count: rows })})</span>
          </li>
        ))}
      </ul>
      {people.length > MAX_PEOPLE && <p>{t('preview.morePeople', { count: people.length - MAX_PEOPLE })}</p>}
    </Alert>
  );
}
