'use client';

import { LeaveParts } from '../../_safety/leave-parts.tsx';
import { SettingsPage } from '../settings-page.tsx';

export function InstitutionLeave() {
  return (
    <SettingsPage name="leave">
      <LeaveParts home="/institution" />
    </SettingsPage>
  );
}
