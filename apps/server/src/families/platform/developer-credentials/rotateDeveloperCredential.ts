import { contract } from '@liquidity-os/contract'
import { secretReply } from '../../secret-reply.ts'
import { type CredentialPayload, mintFor, secretRow } from './credential.ts'
import { credentials } from './records.ts'

export default credentials.supersede(contract.rotateDeveloperCredential, {
  to: 'ACTIVE',
  isRecent: true,
  decide: ({ organizationId, now, fail }, before) => {
    const { expiresAt } = before.payload
    if (expiresAt !== null && Date.parse(expiresAt) <= now) {
      throw fail('LIQUIDITY_CREDENTIAL_EXPIRED', {
        message: `The credential expired at ${expiresAt}; a rotated secret would be rejected.`,
      })
    }
    const minted = mintFor(before.payload.kind)
    const payload: CredentialPayload = {
      ...before.payload,
      selector: minted.selector,
      generation: before.payload.generation + 1,
      issuedAt: new Date(now).toISOString(),
    }
    return {
      payload,
      event: 'credential.rotated',
      eventPayload: { generation: payload.generation },
      evidenceHashes: [],
      statements: () => [secretRow(organizationId, before.id, payload, minted.secretHash)],
      answer: ({ record }) => secretReply(record, 'credential', minted.plaintext),
    }
  },
})
