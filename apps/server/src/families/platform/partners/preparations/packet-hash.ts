import type { contract } from '@liquidity-os/contract'
import { H, type PrivateKey, sha256Hex, sign } from '@liquidity-os/evidence'

type Receipt = contract.PartnerPreparationReceipt
type Unsigned = Omit<Receipt, 'serviceSignature' | 'servicePublicKey' | 'serviceKeyId'>

/** Domain of the receipt signature. */
export const preparationReceiptTag = 'preparation-receipt/v1'

/** Hash of the partner's input: the original packet and its note. */
export const packetHashOf = ({
  packet,
  note,
}: Pick<contract.PartnerPreparation, 'packet' | 'note'>): string =>
  H('partner-packet/v1', { packet, note })

/** SHA-256 of the Idempotency-Key. Receipts are found by it, and it does not reveal the key. */
export const keyHashOf = (idempotencyKey: string): string =>
  `0x${sha256Hex(Buffer.from(idempotencyKey)).replace(/^0x/, '')}`

/** Signs the receipt of a preparation: partner, content and issuer. */
export function signPreparationReceipt(stated: Unsigned, key: PrivateKey): Receipt {
  const { raw, keyId } = key.publicKey
  const body = { ...stated, servicePublicKey: raw, serviceKeyId: keyId }
  return { ...body, serviceSignature: sign(key, preparationReceiptTag, body) }
}
