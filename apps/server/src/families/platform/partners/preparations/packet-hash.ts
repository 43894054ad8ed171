import type { contract } from '@liquidity-os/contract'
import { H, type PrivateKey, sha256Hex, sign } from '@liquidity-os/evidence'

type Receipt = contract.PartnerPreparationReceipt
type Unsigned = Omit<Receipt, 'serviceSignature' | 'servicePublicKey' | 'serviceKeyId'>

/** What receipts are signed under. */
export const preparationReceiptTag = 'preparation-receipt/v1'

/** The hash of what a partner said: the packet as it was sent, and the note to it. */
export const packetHashOf = ({
  packet,
  note,
}: Pick<contract.PartnerPreparation, 'packet' | 'note'>): string =>
  H('partner-packet/v1', { packet, note })

/** SHA-256 of an Idempotency-Key as it was sent: receipts are found by it, and it says nothing of the key. */
export const keyHashOf = (idempotencyKey: string): string =>
  `0x${sha256Hex(Buffer.from(idempotencyKey)).replace(/^0x/, '')}`

/** Says who prepared what for whom, and signs it. */
export function signPreparationReceipt(said: Unsigned, key: PrivateKey): Receipt {
  const { raw, keyId } = key.publicKey
  const body = { ...said, servicePublicKey: raw, serviceKeyId: keyId }
  return { ...body, serviceSignature: sign(key, preparationReceiptTag, body) }
}
