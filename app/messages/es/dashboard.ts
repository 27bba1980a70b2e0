export default {
  opening:
    'Buscando su identidad en este navegador. Lo que es público de ella se muestra enseguida; su clave solo se pide cuando hay que firmar algo.',
  state: {
    ACTIVE: 'Activa',
    LOCKED: 'Bloqueada',
    SUSPENDED: 'Suspendida',
    REVOKED: 'Revocada',
    DESTROYED: 'Destruida',
  },
  lockIt: {
    title: '¿Bloquear {domain} ahora?',
    holder:
      'Desde este momento nadie puede leer ni añadir registros, ni darse ningún consentimiento nuevo, hasta que la desbloquee. Hágalo si cree que otra persona tiene su clave.',
    institution:
      'Desde este momento la institución no puede enviar ni leer, y no recibe consentimientos, hasta que la desbloquee.',
    yes: 'Bloquear ahora',
    no: 'No bloquear',
  },
  unlockIt: {
    title: '¿Desbloquear {domain}?',
    holder: 'Los consentimientos vigentes vuelven a valer desde este momento.',
    institution: 'La institución puede volver a enviar y leer desde este momento.',
    yes: 'Desbloquear',
    no: 'Dejarla bloqueada',
  },
  institutionState: {
    LOCKED: { title: '{domain} está bloqueada', body: 'No puede enviar ni leer hasta que la desbloquee.' },
    SUSPENDED: {
      title: 'El instituto ha suspendido {domain}',
      body: 'No puede enviar, leer ni recibir consentimientos. Usted todavía puede cambiar su clave o destruirla.',
    },
    REVOKED: { title: 'El instituto ha revocado {domain}', body: 'Es definitivo. Sus consentimientos han terminado.' },
  },
  nav: 'Sus páginas',
  switch: 'Cambiar de identidad',
  emergencyLock: 'Bloquear',
  unlock: 'Desbloquear',
  more: 'Más',
  holder: {
    overview: 'Resumen',
    consents: 'Consentimientos',
    records: 'Registros',
    guardians: 'Guardianes',
    access: 'Accesos',
    export: 'Exportar',
    safety: 'Clave y seguridad',
  },
  institution: {
    overview: 'Resumen',
    consents: 'Consentimientos',
    submit: 'Enviar',
    read: 'Leer',
    export: 'Exportar',
    settings: 'Ajustes',
  },
  nobody: {
    title: 'Primero abra su clave',
    body: 'Este navegador todavía no conoce su identidad. Traiga su clave o cree una identidad.',
    signIn: 'Entrar',
    create: 'Crear una identidad',
    register: 'Registrar una institución',
  },
  backup: {
    title: 'Esta clave todavía no tiene copia',
    body: 'Si este navegador la olvida, nadie podrá recuperarla.',
    action: 'Hacer una copia ahora',
  },
  locked: {
    title: '{domain} está bloqueada',
    holder:
      'Nadie puede usar un consentimiento ni cambiar nada hasta que la desbloquee. Usted todavía puede retirar consentimientos, cambiar la clave o destruir la identidad.',
  },
  recovery: {
    title: 'Alguien está recuperando {domain} con otra clave',
    body: '{given} de {needed} guardianes han confirmado. Si no es usted, llame ahora a sus guardianes.',
    action: 'Qué puede hacer',
  },
  otherKey: {
    title: 'La clave de este navegador ya no es la de {domain}',
    body: 'Se cambió, o la identidad se recuperó, en otro lugar. Traiga la clave nueva.',
    action: 'Traer la clave nueva',
  },
  destroyed: {
    title: '{domain} fue destruida',
    body: 'Su clave ya no firma nada.',
    forget: 'Olvidarla en este navegador',
  },
  unreachable:
    'No se puede contactar con el servidor. Lo que ve puede estar desactualizado; esta página lo vuelve a intentar sola.',
};
