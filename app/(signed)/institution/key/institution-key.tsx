'use client';

import { useInstitution } from '../../../_session/current.tsx';
import { IfWrong } from '../../_safety/if-wrong.tsx';
import { KeyParts } from '../../_safety/key-parts.tsx';
import { Parts } from '../../_safety/part.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { RecoveryPart } from './recovery/recovery-part.tsx';

export function InstitutionKey() {
  const { view } = useInstitution();
  return (
    <SettingsPage name="key">
      <IfWrong home="/institution" />
      <KeyParts />
      <Parts>
        <RecoveryPart institution={view} />
      </Parts>
    </SettingsPage>
  );
}
