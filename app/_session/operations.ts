/**
 * The operations that the dashboard signs, by name, with the function that is signed: the table of protocol/operations.ts without
 * the schemas that only the server needs. A test compares the two.
 */
export const FUNCTIONS = {
  createBEO: 'createBEO',
  lockBEO: 'lockBEO',
  unlockBEO: 'unlockBEO',
  rotateBEOKey: 'rotateKey',
  destroyBEO: 'destroyBEO',
  updateBEORecovery: 'updateRecovery',
  revokeAllTokens: 'revokeAllTokens',
  inviteGuardian: 'inviteGuardian',
  confirmGuardian: 'confirmGuardian',
  requireConfirmedGuardians: 'requireConfirmedGuardians',
  resignGuardian: 'resignGuardian',
  createIEO: 'createIEO',
  lockIEO: 'lockIEO',
  unlockIEO: 'unlockIEO',
  rotateIEOKey: 'rotateKey',
  destroyIEO: 'destroyIEO',
  updateIEOContacts: 'updateContacts',
  updateIEORecovery: 'updateRecovery',
  grantConsent: 'grantConsent',
  revokeToken: 'revokeToken',
  revokeAllFromIEO: 'revokeAllFromIEO',
  revokeByIntent: 'revokeByIntent',
  submitRecords: 'submitRecords',
} as const;

export type OperationName = keyof typeof FUNCTIONS;
