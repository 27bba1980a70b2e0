/** The links sent to guardians. Protocol §4. */
export const invitationUrl = (publicUrl: string, token: string): string => `${publicUrl}/api/guardian/accept/${token}`;

export const confirmationUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}/api/guardian/confirm-recovery/${token}`;
