export * from './abis.ts'
export { AnvilStartError } from './anvil.ts'
export { type Artifact, type ArtifactName, artifact } from './artifacts.ts'
export { type Contracts, deflatingTokenInitCode } from './contracts.ts'
export {
  controlAbi,
  deployBeaconProxy,
  deployMinimalProxy,
  deployProxyAdmin,
  deployRoleToken,
  deployTimelock,
  deployTransparentProxy,
  sendControl,
} from './control.ts'
export { type LoadedRecording, type LoadProgress, loadRecording } from './load-recording.ts'
export {
  defaultTimestamp,
  type Localchain,
  type LocalchainOptions,
  startLocalchain,
  testMnemonic,
} from './localchain.ts'
export { inOneBlock } from './one-block.ts'
export { forwardData, type Payment, payerAbi, paymentData } from './payer.ts'
export { type Market, sortTokens, type V3PoolTerms } from './pools.ts'
export { deployPriceFeed, type PriceFeed } from './price-feed.ts'
export { deployRebasingToken, type RebasingToken } from './rebasing-token.ts'
export { parseRecording, type RecordedEvent, type Recording, readRecording } from './recording.ts'
export { deploySablierLockup, type SablierLockup } from './sablier-lockup.ts'
export {
  createSafe,
  delegateDigest,
  deploySafe13,
  multiSendData,
  type SafeRelease,
  type SafeTransaction,
  safeExecutionData,
  safeMessageTypedData,
  safeTransactionHash,
  safeTypedData,
  signSafeMessage,
  signSafeTransaction,
} from './safe.ts'
export {
  create2Address,
  deploySettlement,
  type Settlement,
  settlementInitCode,
  settlementSalt,
} from './settlement.ts'
export {
  type SimulatedBlock,
  type SimulatedCall,
  type SimulatedLog,
  type SimulatedResult,
  simulateBlocks,
} from './simulation.ts'
export { type Restored, StoredBlocks } from './stored-blocks.ts'
export type { TokenOptions } from './token.ts'
export {
  decodeRevert,
  type Mined,
  type Send,
  type TransactionRequest,
  TransactionRevertedError,
} from './transactions.ts'
export { deployLockups, deployVestingWallet, type Lockups } from './vesting.ts'
