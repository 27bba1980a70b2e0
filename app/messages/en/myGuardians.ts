/** A holder’s guardians. */
export default { title: 'Perpetua' };
