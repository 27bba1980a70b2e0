import type english from '../en/overview.ts';

export default {
  title: 'Resumen',
  matters: 'Lo que importa ahora',
  calm: 'Por ahora no hay nada que hacer.',
  mattersMore: '{count, plural, one {Mostrar uno más} other {Mostrar # más}}',
  unknown: 'No se pudo consultar todo. Esta página lo vuelve a intentar sola.',
  role: { primary: 'su primer guardián', secondary: 'su segundo guardián', tertiary: 'su tercer guardián' },
  matter: {
    recovery: {
      title: 'Mire ahora la recuperación',
      body: '{missing, plural, =0 {Otra clave toma el lugar en cualquier momento} one {Una confirmación más y otra clave toma el lugar} other {# confirmaciones más y otra clave toma el lugar}}, y la suya deja de funcionar. La solicitud está abierta hasta el <when>.</when>',
      action: 'Qué hacer',
    },
    locked: {
      title: 'Su identidad está bloqueada',
      body: 'Usted la bloqueó el <when>.</when> Si otra persona puede tener su clave, cambie primero la clave y desbloquee después.',
      action: 'Cambiar la clave',
    },
    confirm: {
      title: '{count, plural, one {Un guardián ha aceptado} other {# guardianes han aceptado}}',
      body: '{count, plural, one {Llame a esa persona, compare las palabras y confírmela.} other {Llame a cada persona, compare las palabras y confírmela.}}',
      action: 'Comparar las palabras',
    },
    unready: {
      off: 'La recuperación está desactivada',
      none: 'Si hoy perdiera la clave, nadie podría ayudarle',
      one: 'Falta un guardián más',
      body: '{readiness, select, off {Sus guardianes no pueden ayudarle hasta que la active.} one {Hacen falta dos guardianes que cuenten para darle una clave nueva a su identidad.} other {Dos guardianes que cuenten pueden darle una clave nueva a su identidad. Todavía no tiene ninguno.}}',
      action: 'Ver sus guardianes',
    },
    linkEnds: {
      title: 'Una invitación está por caducar',
      body: 'El enlace de {role} vale hasta el <when>.</when>',
      action: 'Ver la invitación',
    },
    lapsed: {
      title: 'Una invitación ha caducado',
      body: 'Nadie aceptó a tiempo el enlace de {role}.',
      action: 'Invitar otra vez',
    },
    require: {
      title: 'Decida quién cuenta como guardián',
      body: 'Firme una vez que los guardianes solo cuentan después de que usted los confirme. Es público y no se puede deshacer.',
      action: 'Ver qué hace',
    },
    consentEnds: {
      title: 'El consentimiento para {name} termina pronto',
      body: 'Termina el <when></when>, y para eso no hay que hacer nada.',
      action: 'Ver el consentimiento',
    },
    wide: {
      title: '{name} puede leerlo todo, sin fecha de fin',
      body: 'Un consentimiento no puede ir más lejos. ¿Sigue siendo lo que usted quiere?',
      action: 'Ver el consentimiento',
    },
  },
  first: {
    title: 'Todo listo. Qué hacer ahora',
    require: 'Decida quién cuenta como guardián',
    requireBody:
      'Firme una vez que los guardianes solo cuentan después de que usted los confirme. Público, y para siempre.',
    guardians: 'Elegir a sus guardianes',
    guardiansBody:
      'Dos o tres personas que pueden ayudarle a tener una clave nueva si pierde la suya. Sin ellas, una clave perdida queda perdida.',
    consent: 'Dar un primer consentimiento',
    consentBody:
      'Deje que un laboratorio añada sus resultados, o que un médico los lea. Usted dice qué y por cuánto tiempo, y puede terminarlo.',
  },
  consents: {
    title: 'Consentimientos en vigor',
    count:
      '{count, plural, =0 {No hay ningún consentimiento en vigor.} one {Hay un consentimiento en vigor.} other {Hay # consentimientos en vigor.}}',
    own: '{own, plural, one {Uno es para usted mismo: con él lee y exporta sus registros.} other {# son para usted mismo: con ellos lee y exporta sus registros.}}',
    all: 'Todos los consentimientos',
    give: 'Dar un consentimiento',
  },
  recovery: {
    title: 'Si pierde su clave',
    readiness: {
      off: 'La recuperación está desactivada.',
      none: 'Hoy nadie podría ayudarle.',
      one: 'Un guardián cuenta. Hacen falta dos.',
      two: 'Dos guardianes pueden ayudarle.',
      three: 'Tres guardianes pueden ayudarle; bastan dos cualesquiera.',
    },
    place: { primary: 'Primer guardián', secondary: 'Segundo guardián', tertiary: 'Tercer guardián' },
    state: {
      free: 'nadie todavía',
      invited: 'Invitado',
      lapsed: 'Enlace caducado',
      accepted: 'Sin confirmar todavía',
      confirmed: 'Confirmado',
    },
    action: 'Sus guardianes',
  },
  history: {
    title: 'Lo último en el registro público',
    lead: 'Cada cambio de su identidad se anota en público, firmado, y no se puede alterar después.',
    what: 'Qué',
    when: 'Cuándo',
    status: 'Estado',
    event: {
      createBEO: 'Identidad creada',
      lockBEO: 'Identidad bloqueada',
      unlockBEO: 'Identidad desbloqueada',
      destroyBEO: 'Identidad destruida',
      rotateKey: 'Clave cambiada',
      updateRecovery: 'Guardianes cambiados',
      inviteGuardian: 'Guardián invitado',
      acceptGuardian: 'Un guardián aceptó',
      confirmGuardian: 'Guardián confirmado',
      requireConfirmedGuardians: 'Guardianes confirmados exigidos',
      resignGuardian: 'Un guardián renunció',
      confirmRecovery: 'Recuperación confirmada por un guardián',
      revokeAllTokens: 'Todos los consentimientos retirados',
      revokeAllFromIEO: 'Consentimientos de una institución retirados',
      revokeByIntent: 'Consentimientos para un fin retirados',
    },
    all: 'Toda la historia',
  },
  record: {
    title: 'Su registro público',
    lead: 'Esto es lo que cualquiera puede ver.',
    domain: 'Nombre',
    key: 'Clave pública',
    keyName: 'clave pública',
    keyVersion: '{version, plural, =1 {la primera clave} other {clave número #}}',
    since: 'Desde',
    none: 'Ya no hay',
    see: 'Verlo como lo ve todo el mundo',
  },
} satisfies typeof english;
