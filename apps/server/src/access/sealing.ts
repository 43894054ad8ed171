import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Key } from '../config.ts'

const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts secrets that the service must read again, such as webhook signing secrets. Uses
 * AES-256-GCM with the deployment's key, bound to the storage location. The first key encrypts, all
 * keys decrypt.
 */
export class Sealing {
  readonly #keys: readonly Key[]

  constructor(keys: readonly Key[]) {
    this.#keys = keys
  }

  /** @param place owner of the secret; opening it requires the same text */
  seal(secret: string, place: string): string {
    const key = this.#keys[0]
    if (!key) throw new Error('No sealing key is configured.')
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', key.key, nonce)
    cipher.setAAD(Buffer.from(place))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return `${key.id}.${Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')}`
  }

  /** @throws Error when the text was altered, moved from its place, or sealed with an unknown key */
  open(text: string, place: string): string {
    const split = text.indexOf('.')
    const key = this.#keys.find(({ id }) => id === text.slice(0, split))
    if (!key) throw new Error('The secret is sealed with a key that this deployment does not have.')
    const bytes = Buffer.from(text.slice(split + 1), 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key.key, bytes.subarray(0, nonceBytes))
    decipher.setAAD(Buffer.from(place))
    decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
    const sealed = bytes.subarray(nonceBytes, bytes.length - tagBytes)
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8')
  }

  /** A short authentication code for things that pass through a client, such as cursors. */
  code(purpose: string, text: string): string {
    const key = this.#keys[0]
    if (!key) throw new Error('No sealing key is configured.')
    return createHmac('sha256', key.key)
      .update(`${purpose}\n${text}`)
      .digest('base64url')
      .slice(0, 22)
  }
}
