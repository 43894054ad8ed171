export { historyExport } from './history-export.ts'
export { marketHistory } from './market-history.ts'
