import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { findToken } from './find-token.ts'
import { publicFailure } from './public-failure.ts'
import { keepAnalysis } from './published-analyses.ts'

export default handle(contract.resolvePublicProject, async ({ body, services, now, fail }) => {
  try {
    const found = await findToken(services, body)
    if (found.faults) throw fail('PUBLIC_PROJECT_INVALID_INPUT', { fieldErrors: found.faults })
    const { analysis } = found.reading
    await keepAnalysis(services, analysis, now)
    return { data: analysis }
  } catch (error) {
    throw publicFailure(error, 'PUBLIC_PROJECT')
  }
})
