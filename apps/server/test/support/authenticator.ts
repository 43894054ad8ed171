import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id?: string }
}
interface RequestOptions {
  readonly challenge: string
  readonly rpId?: string
}

export interface Misconduct {
  readonly origin?: string
  readonly isPersonChecked?: boolean
  /** Signs with a key that is not the registered one. */
  readonly isForged?: boolean
  /** Restarts its counter, like a cloned authenticator. */
  readonly isCopied?: boolean
  /** Sends an unsolicited attestation with a certificate chain. */
  readonly attestation?: string
  readonly idBytes?: number
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()
const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

const randomBytesOr = (id: string, bytes?: number) =>
  bytes === undefined ? Buffer.from(id, 'base64url') : randomBytes(bytes)

/** A key pair of P-256, and its public half as COSE writes it. */
function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  return { privateKey, cose }
}

/**
 * An authenticator in software, as a browser speaks for it: keys of P-256, a counter that moves with each signature, no attestation.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 */
export class Authenticator {
  readonly #key = newKey()
  readonly #other = newKey()
  readonly id = b64(randomBytes(32))
  readonly #origin: string
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  create({ challenge, rp }: CreationOptions, misconduct: Misconduct = {}): object {
    const id = randomBytesOr(this.id, misconduct.idBytes)
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 0xff]),
      id,
      this.#key.cose,
    ])
    const authData = this.#authData(rp.id ?? '', { attested, ...misconduct })
    const { attestation = 'none' } = misconduct
    // CBOR map of three: format, statement and data; with a chain, the certificate is one byte.
    const made = Buffer.concat([
      Buffer.from('a363666d74', 'hex'),
      Buffer.from([0x60 + attestation.length]),
      Buffer.from(attestation),
      Buffer.from('6761747453746d74', 'hex'),
      Buffer.from(attestation === 'none' ? 'a0' : 'a163783563814100', 'hex'),
      Buffer.from('68617574684461746159', 'hex'),
      Buffer.from([authData.length >> 8, authData.length & 0xff]),
      authData,
    ])
    const client = this.#client('webauthn.create', challenge, misconduct)
    return this.#credential(b64(id), {
      clientDataJSON: b64(client),
      attestationObject: b64(made),
      transports: ['internal'],
    })
  }

  get({ challenge, rpId }: RequestOptions, misconduct: Misconduct = {}): object {
    this.#counter = misconduct.isCopied ? 1 : this.#counter + 1
    const authData = this.#authData(rpId ?? '', misconduct)
    const client = this.#client('webauthn.get', challenge, misconduct)
    const { privateKey } = misconduct.isForged ? this.#other : this.#key
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(client)]))
      .sign(privateKey)
    return this.#credential(this.id, {
      clientDataJSON: b64(client),
      authenticatorData: b64(authData),
      signature: b64(signature),
    })
  }

  #credential(id: string, response: object): object {
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  }

  #client(type: string, challenge: string, { origin = this.#origin }: Misconduct): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #authData(
    rpId: string,
    { attested, isPersonChecked = true }: Misconduct & { attested?: Buffer },
  ): Buffer {
    // Present, checked by PIN or finger, and with the key behind.
    const flags = 0x01 | (isPersonChecked ? 0x04 : 0) | (attested ? 0x40 : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, attested ?? Buffer.alloc(0)])
  }
}
