import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { findToken } from './find-token.ts'
import { findingOf } from './finding.ts'
import { publicFailure } from './public-failure.ts'

/** Maximum size: Uniswap reserves have fewer bits. */
const largestSize = 2n ** 128n - 1n
const code = 'PUBLIC_INVESTIGATION_INVALID_INPUT'

export default handle(
  contract.investigatePublicProjectLiquidity,
  async ({ body: { identifier, quoteSize }, services, fail }) => {
    if (BigInt(quoteSize) > largestSize) {
      const message = `must be at most 2^128 - 1, ${largestSize}, got ${quoteSize}`
      throw fail(code, { fieldErrors: { quoteSize: [message] } })
    }
    try {
      const found = await findToken(services, identifier, 'identifier.')
      if (found.faults) throw fail(code, { fieldErrors: found.faults })
      return { data: findingOf(found.reading, quoteSize) }
    } catch (error) {
      throw publicFailure(error, 'PUBLIC_INVESTIGATION')
    }
  },
)
