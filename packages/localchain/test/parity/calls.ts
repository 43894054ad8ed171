import type { UniswapV2Operation, UniswapV3Operation } from '@liquidity-os/engine/parity'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import {
  erc20Abi,
  forwardData,
  paymentData,
  type SimulatedCall,
  v2FactoryAbi,
  v2PairAbi,
  v3PoolAbi,
} from '../../src/index.ts'
import { holderAddress, payerAddress, type Stage, type StagePool } from './stage.ts'

/** Every swap, flash and collection without an owner is this actor's. */
const trader = 'alice'

/** The call that performs a v3 operation on the genuine pool. */
export function v3Call(
  stage: Stage,
  pool: StagePool,
  operation: UniswapV3Operation,
): SimulatedCall {
  const owner = 'owner' in operation ? operation.owner : trader
  const payer = payerAddress(stage, owner)
  const data = poolData(pool, payer, operation)
  switch (operation.kind) {
    case 'v3.setFeeProtocol':
    case 'v3.collectProtocol':
      return { from: stage.deployer, to: pool.address, data }
    default:
      return { from: stage.deployer, to: payer, data: forwardData(pool.address, data) }
  }
}

function poolData(pool: StagePool, payer: Address, operation: UniswapV3Operation): Hex {
  const abi = v3PoolAbi
  switch (operation.kind) {
    case 'v3.initialize':
      return encodeFunctionData({
        abi,
        functionName: 'initialize',
        args: [operation.sqrtPriceX96],
      })
    case 'v3.mint': {
      const { tickLower, tickUpper, liquidity } = operation
      const args = [payer, tickLower, tickUpper, liquidity, paymentData(pool)] as const
      return encodeFunctionData({ abi, functionName: 'mint', args })
    }
    case 'v3.burn': {
      const { tickLower, tickUpper, liquidity } = operation
      return encodeFunctionData({
        abi,
        functionName: 'burn',
        args: [tickLower, tickUpper, liquidity],
      })
    }
    case 'v3.collect': {
      const { tickLower, tickUpper, amount0Requested, amount1Requested } = operation
      const args = [payer, tickLower, tickUpper, amount0Requested, amount1Requested] as const
      return encodeFunctionData({ abi, functionName: 'collect', args })
    }
    case 'v3.swap': {
      const { zeroForOne, amountSpecified, sqrtPriceLimitX96 } = operation
      const payment = paymentData(pool)
      const args = [payer, zeroForOne, amountSpecified, sqrtPriceLimitX96, payment] as const
      return encodeFunctionData({ abi, functionName: 'swap', args })
    }
    default:
      return administrationData(pool, payer, operation)
  }
}

type Administration = Exclude<
  UniswapV3Operation,
  { kind: 'v3.initialize' | 'v3.mint' | 'v3.burn' | 'v3.collect' | 'v3.swap' }
>

function administrationData(pool: StagePool, payer: Address, operation: Administration): Hex {
  const abi = v3PoolAbi
  switch (operation.kind) {
    case 'v3.flash': {
      const { amount0, amount1, paid0, paid1 } = operation
      // The callback names the fee; the payer returns the loan and `paid` in its stead.
      const extra0 = amount0 + paid0 - flashFee(pool, amount0)
      const extra1 = amount1 + paid1 - flashFee(pool, amount1)
      const args = [payer, amount0, amount1, paymentData({ ...pool, extra0, extra1 })] as const
      return encodeFunctionData({ abi, functionName: 'flash', args })
    }
    case 'v3.setFeeProtocol': {
      const args = [operation.feeProtocol0, operation.feeProtocol1] as const
      return encodeFunctionData({ abi, functionName: 'setFeeProtocol', args })
    }
    case 'v3.collectProtocol': {
      const { amount0Requested, amount1Requested } = operation
      const args = [payer, amount0Requested, amount1Requested] as const
      return encodeFunctionData({ abi, functionName: 'collectProtocol', args })
    }
    case 'v3.increaseObservationCardinalityNext': {
      const args = [operation.observationCardinalityNext] as const
      const functionName = 'increaseObservationCardinalityNext'
      return encodeFunctionData({ abi, functionName, args })
    }
  }
}

/** Fee of a flash loan, rounded up for the pool. */
function flashFee(pool: StagePool, amount: bigint): bigint {
  return (amount * BigInt(pool.feePips) + 999_999n) / 1_000_000n
}

/** The call that performs a v2 operation on the genuine pair. */
export function v2Call(stage: Stage, operation: UniswapV2Operation): SimulatedCall {
  const { pair, deployer } = stage
  const abi = v2PairAbi
  const onPair = (data: Hex, from = deployer): SimulatedCall => ({ from, to: pair.address, data })
  switch (operation.kind) {
    case 'v2.transfer': {
      const to = operation.token === 0 ? pair.token0 : pair.token1
      const args = [pair.address, operation.amount] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      return { from: deployer, to, data }
    }
    case 'v2.transferLiquidity': {
      const args = [holderAddress(stage, operation.to), operation.amount] as const
      const data = encodeFunctionData({ abi, functionName: 'transfer', args })
      return onPair(data, holderAddress(stage, operation.from))
    }
    case 'v2.swap': {
      const to = holderAddress(stage, operation.to)
      const args = [operation.amount0Out, operation.amount1Out, to, '0x'] as const
      return onPair(encodeFunctionData({ abi, functionName: 'swap', args }))
    }
    case 'v2.mint':
    case 'v2.burn':
    case 'v2.skim': {
      const functionName = operation.kind.slice(3) as 'mint' | 'burn' | 'skim'
      const args = [holderAddress(stage, operation.to)] as const
      return onPair(encodeFunctionData({ abi, functionName, args }))
    }
    case 'v2.sync':
      return onPair(encodeFunctionData({ abi, functionName: 'sync' }))
    case 'v2.setFeeTo': {
      const args = [holderAddress(stage, operation.feeTo)] as const
      const data = encodeFunctionData({ abi: v2FactoryAbi, functionName: 'setFeeTo', args })
      return { from: deployer, to: stage.chain.contracts.uniswapV2Factory, data }
    }
  }
}
