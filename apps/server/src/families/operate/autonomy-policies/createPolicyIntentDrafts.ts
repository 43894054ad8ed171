import { contract } from '@liquidity-os/contract'
import { readPolicyText } from '@liquidity-os/engine/policy'
import { Failure } from '../../../failure.ts'
import { handle, type Outcome } from '../../../http/handler.ts'
import { draftOf, saidInText } from './draft-payload.ts'
import { grammarContext } from './grammar-context.ts'
import { releaseOrNull } from './policy-payload.ts'
import { requireVault } from './vault-of.ts'
import { standingPolicy, written } from './write-draft.ts'

/** Reads limits out of words; a model is no part of it. */
export default handle(contract.createPolicyIntentDrafts, async (request): Promise<Outcome> => {
  const { body, records, services, now } = request
  const { vaultId, text, baseline, extractor } = body.payload
  if (extractor === 'MODEL') {
    throw new Failure('LIQUIDITY_POLICY_MODEL_UNAVAILABLE', {
      fieldErrors: {
        'payload.extractor': [
          'must be GRAMMAR, since no language model reads a policy here, got MODEL',
        ],
      },
    })
  }
  const vault = await requireVault(records, vaultId)
  const context = await grammarContext(records, services, vault, releaseOrNull(services, now))
  const said = saidInText(text, readPolicyText(text, context))
  const current = await standingPolicy(records, vaultId)
  return written(records, draftOf({ said, baseline, vault, current, context, now }), body.reason)
})
