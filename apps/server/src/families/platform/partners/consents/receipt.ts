import { contract } from '@liquidity-os/contract'
import { type PrivateKey, sign } from '@liquidity-os/evidence'

type Receipt = contract.PartnerConsentReceipt
type Unsigned = Omit<Receipt, 'serviceSignature' | 'servicePublicKey' | 'serviceKeyId'>

/** What receipts are signed under: a stranger checks it with the published keys of the service. */
export const consentReceiptTag = 'consent-receipt/v1'

/** A scope with its words and the members that it opens. */
export const revealedScope = (scope: contract.ConsentScope) => {
  const { text, reveals } = contract.scopeTerms[scope]
  return { scope, text, reveals: [...reveals] }
}

/** Says who granted what to whom, and signs it. */
export function signConsentReceipt(said: Unsigned, key: PrivateKey): Receipt {
  const { raw, keyId } = key.publicKey
  const body = { ...said, servicePublicKey: raw, serviceKeyId: keyId }
  return { ...body, serviceSignature: sign(key, consentReceiptTag, body) }
}
