export { declaredInEntry } from './declare-in-entry.ts'
