export { eventKindFault } from './event-kinds.ts'
