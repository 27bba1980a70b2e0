'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { read } from '../_session/send.ts';
import { When } from '../_ui/when.tsx';
import { type PresentGuardian, presentGuardians } from './guardians.ts';

/** The guardians after a recovery: a thief of the old key may have changed them. */
export function PresentGuardians({ beoId }: { beoId: string }) {
  const t = useTranslations('recover');
  const [guardians, setGuardians] = useState<readonly PresentGuardian[]>([]);

  useEffect(() => {
    let cancelled = false;
    void read((client) => client.getBEO(beoId)).then(
      (answer) => cancelled || !answer.ok || setGuardians(presentGuardians(answer.body.recovery.guardians)),
    );
    return () => {
      cancelled = true;
    };
  }, [beoId]);

  if (guardians.length === 0) return null;
  return (
    <>
      <p>{t('done.whoTheyAre')}</p>
      <ul className="list-disc space-y-1 pl-6">
        {guardians.map(({ id, role, since, accepted }) => (
          <li key={id}>
            {t.rich(accepted ? 'done.guardianSince' : 'done.guardianInvited', {
              role,
              when: () => <When at={since} />,
            })}
          </li>
        ))}
      </ul>
      <p>{t('done.notYours')}</p>
      <p>{t('done.confirmAnew')}</p>
    </>
  );
}
