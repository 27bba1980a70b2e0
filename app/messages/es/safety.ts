import type english from '../en/safety.ts';

export default {
  title: 'Clave y seguridad',
  lead: 'Su clave es lo que hace suya {domain}. Aquí puede mantenerla segura, cambiarla o quitarla de este navegador.',
  notNow: 'Ahora no',

  backup: {
    title: 'Copia de la clave',
    have: 'Usted tiene su propia copia. De vez en cuando, compruebe que aún sabe dónde está.',
    noneTitle: 'Todavía no hay copia',
    none: 'Los navegadores olvidan lo que guardan, algunos en una semana. Entonces nadie puede recuperar esta clave.',
    what: 'Un archivo protegido por una contraseña propia, o 24 palabras en papel, que también puede imprimir como tarjeta.',
    make: 'Hacer una copia',
    another: 'Hacer otra copia',
    lead: 'Es de la clave de {domain} que vale ahora. Usted elige la forma; las dos se abren en cualquier dispositivo.',
    leadSeed:
      'La clave de {domain} se creó en otro lugar, así que no tiene 24 palabras. Un archivo con contraseña la guarda igual de bien.',
    done: 'Usted tiene su propia copia.',
  },

  passkey: {
    title: 'Llave de acceso',
    what: 'Abra la clave en este navegador con el dedo, la cara o el PIN de este dispositivo, además de con la contraseña.',
    have: 'La llave de acceso de este dispositivo abre la clave en este navegador. La contraseña también sirve.',
    cannot:
      'Este navegador o dispositivo no ofrece una llave de acceso que pueda guardar una clave; use la contraseña. Es igual de seguro.',
    add: 'Añadir una llave de acceso',
    remove: 'Quitar la llave de acceso',
    added: 'Se ha añadido la llave de acceso.',
    removed: 'Se ha quitado la llave de acceso. La contraseña abre la clave.',
  },

  passphrase: {
    title: 'Contraseña de este navegador',
    what: 'Abre la clave en este navegador. Si la ha olvidado, traiga la clave de nuevo con su archivo o sus palabras.',
    files: 'Una contraseña nueva no cambia los archivos que ha guardado: cada uno conserva la suya.',
    change: 'Cambiar la contraseña',
    new: 'Elija una contraseña nueva',
    save: 'Cambiarla',
    done: 'La contraseña se ha cambiado.',
  },

  putAway: {
    title: 'Cuándo se guarda la clave',
    what: 'Una vez abierta, su clave sigue abierta solo en esta página: hasta que usted la guarde, cierre o recargue la página, o nadie la use durante {minutes, number} minutos.',
  },

  replace: {
    title: 'Cambiar la clave',
    when: 'Si alguien puede haber visto sus palabras, su archivo o su contraseña. La clave nueva vale al instante y la antigua deja de funcionar.',
    begin: 'Cambiar la clave',
    whatTitle: 'Cómo se cambia la clave',
    new: 'Se crea una clave nueva aquí, en su dispositivo.',
    copy: 'Usted guarda una copia: un archivo o 24 palabras. Las copias antiguas ya no sirven.',
    signed: 'La clave antigua firma que la nueva ocupa su lugar.',
    stays: {
      holder: 'Sus consentimientos, guardianes y registros siguen como están.',
      institution: 'Los consentimientos, la certificación y los contactos siguen como están.',
    },
    public:
      'Lo que se hace público para siempre: que {domain} tiene una clave nueva, cuándo, y la clave pública nueva.',
    make: 'Crear la clave nueva',
    broken: 'Este navegador no ha podido crear una clave. Vuelva a cargar la página; no ha cambiado nada.',
    savedTitle: 'Su clave nueva está creada y guardada',
    saved: 'La creó aquí antes y tiene una copia. Todavía no vale.',
    goOn: 'Seguir con ella',
    again: 'Guardar otra copia',
    inForce: 'Su clave nueva ya vale para {domain}. Solo falta guardarla en este navegador.',
    signTitle: '¿Dar ahora a {domain} su clave nueva?',
    sign: 'Desde este momento la clave antigua ya no firma nada, en ninguno de sus dispositivos.',
    newKey: 'Clave pública nueva',
    yes: 'Cambiar la clave ahora',
    sending: 'Cambiando la clave …',
    done: '{domain} tiene su clave nueva. Sus copias antiguas ya no sirven.',
  },

  forget: {
    title: 'Olvidarla en este navegador',
    what: 'Quita la clave de este navegador, por ejemplo antes de que dé el dispositivo a otra persona. La identidad sigue como está.',
    button: 'Olvidar la clave aquí',
    ask: '¿Olvidar la clave de {domain} en este navegador?',
    stays: '{domain} sigue como está, y también todo lo que ha firmado.',
    backedUp: 'Usted dijo que tiene una copia. La necesitará para volver.',
    noBackupTitle: 'No hay copia de esta clave',
    noBackup: 'Si sigue, nadie podrá actuar por {domain}, salvo que sus guardianes le den una clave nueva.',
    yes: 'Olvidarla aquí',
    anyway: 'Olvidarla sin copia',
    no: 'Conservarla',
  },

  destroy: {
    rest: 'Destruir',
    restWhat: 'Termina para siempre. Antes sabrá qué se pierde y qué queda.',
    begin: 'Ver qué significa destruir',
    title: '{kind, select, institution {Destruir la institución} other {Destruir la identidad}}',
    step: 'Paso {step, number} de {steps, number}',
    next: 'Entiendo, continuar',
    no: 'No destruirla',
    goes: {
      title: 'Qué se pierde al destruir {domain}',
      holder: {
        key: 'Su clave. Ya no firma nada, y ningún guardián puede recuperarla.',
        consents: 'Todos sus consentimientos. Terminan en ese momento.',
        records: 'Sus registros y los nombres de sus guardianes: se borran aquí, y también la clave que los cifraba.',
        rather:
          'Si teme que alguien tenga su clave, <lock>bloquee</lock> la identidad o <lock>cambie</lock> la clave. Así no pierde nada.',
      },
      institution: {
        key: 'Su clave. Ya no firma nada.',
        consents: 'Todos los consentimientos recibidos. Terminan en ese momento.',
        records: 'Su lugar aquí: no podrá volver a enviar ni a leer registros.',
        rather:
          'Si teme que alguien tenga la clave, <lock>bloquee</lock> la institución o <lock>cambie</lock> la clave. Así no pierde nada.',
      },
      domain:
        '{kind, select, institution {El nombre {domain}. Nadie podrá volver a tomarlo, usted tampoco.} other {El nombre {domain}. Pasados unos minutos, cualquiera puede tomarlo.}}',
      nobody: 'Nadie puede deshacer esto, nosotros tampoco.',
    },
    stays: {
      title: 'Qué queda',
      holder: {
        ledger:
          'En el registro público, para siempre: que {domain} existió, sus claves públicas, y a quién y cuándo se dieron consentimientos. Ningún dato de salud ni nombres de guardianes.',
        copies:
          'Lo que leyeron las instituciones mientras usted lo permitía. Pídales que lo borren; nosotros no podemos.',
      },
      institution: {
        ledger:
          'En el registro público, para siempre: el nombre, las claves públicas, y qué consentimientos recibió {domain} y cuándo.',
        copies: 'Los registros que envió. Pertenecen a las personas de quienes tratan y se quedan con ellas.',
      },
      mark: 'Una última anotación en el registro público: que {domain} fue destruida, y cuándo.',
    },
    export: {
      title: '¿Llevarse antes sus registros?',
      what: 'Una exportación es un archivo con todo: sus registros, sus consentimientos y quién accedió, cada cosa con su prueba.',
      last: 'Una vez destruida la identidad, ya no se podrá exportar nada de ella.',
      make: 'Exportar antes',
      without: 'Seguir sin exportar',
    },
    confirm: {
      title: 'Destruir {domain} para siempre',
      final: 'Este es el último paso. Vale al instante.',
      label: 'Escriba {domain} para estar seguro',
      wrong: 'Eso no es {domain}. Escríbalo exactamente, o deténgase aquí.',
      yes: 'Destruirla para siempre',
      sending: 'Destruyendo …',
      cooldown:
        'Sus guardianes la recuperaron hace menos de 24 horas. Hasta entonces no se puede destruir, por si la recuperación no fue suya.',
    },
    done: {
      title: '{domain} está destruida',
      holder: 'Su clave ya no firma nada, sus consentimientos han terminado y sus registros aquí están borrados.',
      institution: 'Su clave ya no firma nada, y los consentimientos recibidos han terminado.',
      forget: 'Olvidarla en este navegador',
      see: 'Verla en el registro público',
    },
  },
} satisfies typeof english;
