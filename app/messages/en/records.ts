/** A holder’s records, and who has used a consent on them. */
export default { title: 'Perpetua' };
