/** Registering an institution. */
export default { title: 'Perpetua' };
