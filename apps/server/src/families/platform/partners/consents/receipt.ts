import { contract } from '@liquidity-os/contract'
import { type PrivateKey, sign } from '@liquidity-os/evidence'

type Receipt = contract.PartnerConsentReceipt
type Unsigned = Omit<Receipt, 'serviceSignature' | 'servicePublicKey' | 'serviceKeyId'>

/** Signature domain of receipts. A third party verifies them with the service's published keys. */
export const consentReceiptTag = 'consent-receipt/v1'

/** A scope with its text and the fields that it reveals. */
export const revealedScope = (scope: contract.ConsentScope) => {
  const { text, reveals } = contract.scopeTerms[scope]
  return { scope, text, reveals: [...reveals] }
}

/** Signs the receipt of a consent: issuer, partner and scopes. */
export function signConsentReceipt(stated: Unsigned, key: PrivateKey): Receipt {
  const { raw, keyId } = key.publicKey
  const body = { ...stated, servicePublicKey: raw, serviceKeyId: keyId }
  return { ...body, serviceSignature: sign(key, consentReceiptTag, body) }
}
