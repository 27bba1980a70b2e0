/** Creating an identity. */
export default { title: 'Perpetua' };
