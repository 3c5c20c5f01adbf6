import { defineConfig } from "vite";

// A relative base lets the same folder work under any path.
export default defineConfig({
  base: "./",
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 1000 },
  worker: { format: "es" },
  server: { fs: { allow: [".."] } },
});
