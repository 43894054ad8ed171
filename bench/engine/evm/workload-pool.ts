import { newDeposits, newState } from '../workload.ts'
import { type BytecodePool, encodeScript, openBytecodePool } from './bytecode.ts'

/** The workload pool on the original bytecode, with its positions minted. */
export async function openWorkloadPool(): Promise<BytecodePool> {
  const { sqrtPriceX96 } = newState()
  const pool = await openBytecodePool({ fee: 3000, tickSpacing: 60, sqrtPriceX96 })
  await pool.send(encodeScript(newDeposits().map((deposit) => ({ kind: 'mint', ...deposit }))))
  return pool
}
