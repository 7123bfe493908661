export { portico } from './start.tsx';
