import { contract } from '@liquidity-os/contract'
import { readPolicyText } from '@liquidity-os/engine/policy'
import { handle, type Outcome } from '../../../http/handler.ts'
import { draftOf, limitsFromText } from './draft-payload.ts'
import { grammarContext } from './grammar-context.ts'
import { releaseOrNull } from './policy-payload.ts'
import { limitsFromModel } from './proposed-sentences.ts'
import { requireVault } from './vault-of.ts'
import { findActivePolicy, written } from './write-draft.ts'

/**
 * Parses policy limits from text. A language model can propose sentences, but the text itself must
 * support each limit.
 */
export default handle(contract.createPolicyIntentDrafts, async (request): Promise<Outcome> => {
  const { body, records, services, now } = request
  const { vaultId, text, baseline, extractor } = body.payload
  const vault = await requireVault(records, vaultId)
  const context = await grammarContext(records, services, vault, releaseOrNull(services, now))
  const stated =
    extractor === 'MODEL'
      ? await limitsFromModel(text, context, records, services)
      : limitsFromText(text, readPolicyText(text, context))
  const current = await findActivePolicy(records, vaultId)
  const drafted = draftOf({ stated, baseline, vault, current, context, now })
  return written(records, drafted, body.reason, stated.artifacts)
})
